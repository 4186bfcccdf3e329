// The page of a run follows it. Without this script it says the same, and is loaded anew now and then.
(function () {
  "use strict";
  var main = document.querySelector("main.watch"), said = document.getElementById("said");
  var waiting = {}, source = null;

  // put shows a section anew. What somebody is at stays until he has left it, and what he has opened stays open.
  function put(id, html) {
    var section = document.getElementById(id);
    if (!section) return;
    var at = document.activeElement;
    if (at && at !== document.body && section.contains(at) || id === "hosts" && section.querySelector("button:hover")) {
      waiting[id] = html;
      return;
    }
    delete waiting[id];
    var open = Array.prototype.map.call(section.querySelectorAll("details[open]"), function (d) { return d.id; });
    var scrolled = Array.prototype.map.call(section.querySelectorAll(".wide"), function (w) { return w.scrollLeft; });
    section.innerHTML = html; // made by the server's templates, as the page itself
    section.dispatchEvent(new CustomEvent("shown", { bubbles: true })); // and its tables are sorted as they were
    open.forEach(function (id) { var d = document.getElementById(id); if (d) d.open = true; });
    section.querySelectorAll(".wide").forEach(function (w, i) { w.scrollLeft = scrolled[i] || 0; });
  }
  function late() {
    Object.keys(waiting).forEach(function (id) { put(id, waiting[id]); });
  }
  document.addEventListener("focusout", function () { setTimeout(late, 0); });
  document.addEventListener("mouseout", function () { setTimeout(late, 0); });

  function follow() {
    if (source || !window.EventSource || !main.dataset.live) return;
    source = new EventSource(main.dataset.live);
    source.addEventListener("story", function (e) {
      if (said.dataset.lost) { said.textContent = ""; delete said.dataset.lost; }
      var parts = JSON.parse(e.data);
      if (parts.title && parts.title !== document.title) {
        document.title = parts.title;
        said.textContent = ""; // what a button said is so now, or is not any more
      }
      Object.keys(parts).forEach(function (id) { put(id, parts[id]); });
    });
    source.addEventListener("end", leave); // there is no more to tell
    source.onerror = function () {
      said.textContent = main.dataset.lost;
      said.dataset.lost = "1";
      if (source.readyState === EventSource.CLOSED) { // it was refused, and the browser does not try again
        leave();
        setTimeout(function () { if (!document.hidden) follow(); }, 5000);
      }
    };
  }
  function leave() {
    if (source) source.close();
    source = null;
  }
  document.addEventListener("visibilitychange", function () { if (document.hidden) leave(); else follow(); });
  follow();

  // Buttons do what they say without loading the page anew.
  document.addEventListener("submit", function (e) {
    var form = e.target, button = e.submitter;
    if (form.method !== "post" || !button || !window.fetch) return;
    e.preventDefault();
    var body = new URLSearchParams(new FormData(form));
    body.set(button.name, button.value);
    fetch("api/v1/" + form.getAttribute("action"), { method: "POST", body: body }).then(function (r) {
      return r.ok ? r.json() : r.text().then(function (text) { throw new Error(text); });
    }).then(function (answer) {
      said.textContent = answer.said;
      form.reset();
      if (document.activeElement === button) button.blur();
      late();
    }).catch(function (err) { said.textContent = err.message; });
  });
})();
