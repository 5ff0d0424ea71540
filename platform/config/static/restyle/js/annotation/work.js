// The scripts of every kind of work, in their order. Those of one kind come after them, and then annotation/shown.js.
import "./frames.js";
import "./timer.js";
import "./unfinished.js";
import "./draft.js";
import "./again.js";
import "./under_way.js";
import "./look.js";
import "./diff.js";
import "./stages.js";
import "./history.js";
import "./concepts.js";
import "./readability.js";
import "./characters.js";
import "./at_once.js";
import "./progress.js";
import "./stays.js";
