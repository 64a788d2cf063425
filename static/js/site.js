// What the page adds when scripts run. Everything reads and works without it.
import "./slider.js";
import "./copy.js";
import "./live-figure.js";
import "./travel.js";
import "./history.js";
import "./lab.js";
import "./light.js";
import "./score-bits.js";
import "./say.js";
import "./sandbox.js";
import "./leads.js";
import "./stepper.js";
import "./transcript.js";
import "./share.js";
import "./takeaway.js";
import "./download.js";
