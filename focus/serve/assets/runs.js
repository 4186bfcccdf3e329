// The list of runs follows them, more closely while one goes on. Without this script it says the same, and is loaded anew now and then.
(function () {
  "use strict";
  var shown = document.getElementById("all");
  if (!shown || !window.fetch || !window.DOMParser) return;
  function chosen() { return Array.prototype.some.call(shown.querySelectorAll("input"), function (i) { return i.checked !== i.defaultChecked; }); }
  function look() {
    if (document.hidden || chosen() || shown.contains(document.activeElement)) return setTimeout(look, 1000);
    fetch(location.href).then(function (r) { return r.ok ? r.text() : Promise.reject(); }).then(function (text) {
      var now = new DOMParser().parseFromString(text, "text/html").getElementById("all");
      if (now && !chosen() && !shown.contains(document.activeElement)) shown.innerHTML = now.innerHTML; // made by the server's templates, as the page itself
      setTimeout(look, now && now.dataset.live ? 2000 : 10000);
    }).catch(function () { setTimeout(look, 5000); });
  }
  setTimeout(look, shown.dataset.live ? 2000 : 10000);
})();
