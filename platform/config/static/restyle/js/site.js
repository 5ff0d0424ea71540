// The scripts of every page, in their order.
import "./say.js";
import "./early.js";
import "./menu.js";
import "./confirm.js";
import "./copy.js";
import "./tables.js";
import "./keys.js";
