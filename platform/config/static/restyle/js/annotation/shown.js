// What looks at an item once the scripts of its kind of work have drawn it.
import "./focus.js";
import "./refusal.js";
