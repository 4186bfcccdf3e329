// Tables are sorted by a click on the head of a column, or by a key there. Without this script they stay as they are.
(function () {
  "use strict";
  var main = document.querySelector("main.watch"), chosen = {}; // the column of a table and its direction, by the place of the table
  if (!main || !main.querySelectorAll) return;

  function worth(row, column, number) {
    var text = row.cells[column] ? row.cells[column].textContent.trim() : "";
    if (!number) return text;
    var n = parseFloat(text);
    return isNaN(n) ? -Infinity : n;
  }
  function sort(table, by) {
    var heads = table.tHead.rows[0].cells, head = heads[by.column], number = head.classList.contains("n"), sign = by.down ? -1 : 1;
    Array.prototype.forEach.call(heads, function (h) { h.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", by.down ? "descending" : "ascending");
    Array.prototype.slice.call(table.tBodies[0].rows).sort(function (a, b) {
      var x = worth(a, by.column, number), y = worth(b, by.column, number);
      return sign * (number ? (x === y ? 0 : x < y ? -1 : 1) : x.localeCompare(y));
    }).forEach(function (row) { table.tBodies[0].appendChild(row); });
  }
  function dress(section) {
    section.querySelectorAll("table").forEach(function (table, place) {
      var key = section.id + " " + place;
      if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < 2) return;
      table.tHead.querySelectorAll("th").forEach(function (head) {
        var button = document.createElement("button");
        button.type = "button";
        button.className = "sorts";
        button.textContent = head.textContent;
        head.textContent = "";
        head.appendChild(button);
        button.addEventListener("click", function () {
          var before = chosen[key], column = head.cellIndex;
          chosen[key] = { column: column, down: before && before.column === column ? !before.down : head.classList.contains("n") };
          sort(table, chosen[key]);
        });
      });
      if (chosen[key]) sort(table, chosen[key]);
    });
  }
  main.querySelectorAll("section").forEach(dress);
  document.addEventListener("shown", function (e) { dress(e.target); }); // a section came anew
})();
