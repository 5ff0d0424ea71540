// The scripts of every page, in their order. Collected, they are one file, with what several pages' scripts import
// (config/templating/static_files.py).
import "./say.js";
import "./early.js";
import "./menu.js";
import "./confirm.js";
import "./copy.js";
import "./rename.js";
import "./longest.js";
import "./tables.js";
import "./polling.js";
import "./keys.js";
import "./palette.js";
import "./queue.js";
import "./evaluation/rows.js";
