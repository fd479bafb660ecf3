// Put before everything else in a copy of the report: notes what goes wrong while it loads.
"use strict";
var complaints = [];
window.addEventListener("error", function (event) { complaints.push("error: " + event.message); });
document.addEventListener("securitypolicyviolation", function (event) {
  complaints.push("refused to load: " + event.blockedURI);
});
["error", "warn"].forEach(function (level) {
  var old = console[level];
  console[level] = function (text) {
    complaints.push("console." + level + ": " + text);
    old.apply(console, arguments);
  };
});
