// Completion of what is being written. Without this script the page does everything else.
(function () {
  "use strict";
  var box = document.querySelector("input[list]"), list = document.getElementById("completions");
  if (!box || !list || !window.fetch) return;
  var waiting = 0, asked = "";
  box.addEventListener("input", function () {
    clearTimeout(waiting);
    waiting = setTimeout(function () {
      var q = box.value;
      if (q === asked || q.length > 200) return;
      asked = q;
      fetch("api/v1/complete?q=" + encodeURIComponent(q)).then(function (r) { return r.json(); }).then(function (answer) {
        if (q !== asked) return;
        list.textContent = "";
        answer.completions.forEach(function (words) {
          var option = document.createElement("option");
          option.value = words;
          list.appendChild(option);
        });
      }).catch(function () {});
    }, 120);
  });
})();
