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
})();
