// One key says what a page is. Without this script the buttons do, and their access keys.
(function () {
  "use strict";
  var form = document.getElementById("answer"), of = { y: "yes", n: "no", s: "skip" }, gone = false;
  if (!form) return;
  document.addEventListener("keydown", function (e) {
    var to = e.target;
    if (!of[e.key] || gone || e.repeat || e.ctrlKey || e.altKey || e.metaKey || to && /^(INPUT|TEXTAREA|SELECT)$/.test(to.tagName)) return;
    e.preventDefault();
    gone = true; // one answer a page
    form.querySelector("button[value=" + of[e.key] + "]").click();
  });
  // Who clicks into the copy may mark and copy its text, and read on by keys, while the mouse is over it. Who came by Tab leaves by it.
  var copy = document.querySelector(".asked iframe"), told = document.getElementById("incopy"), tabbed = false;
  if (!copy) return;
  function look() { told.hidden = document.activeElement !== copy; }
  document.addEventListener("keydown", function (e) { tabbed = e.key === "Tab"; });
  document.addEventListener("mousedown", function () { tabbed = false; });
  document.addEventListener("focusin", look);
  window.addEventListener("blur", function () { setTimeout(look); }); // what has the focus is known then
  window.addEventListener("focus", function () { setTimeout(look); });
  document.addEventListener("mousemove", function (e) {
    if (e.target !== copy && !tabbed && document.activeElement === copy) copy.blur();
    look();
  });
})();
