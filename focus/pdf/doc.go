// Package pdf answers one question: what does a PDF say?
//
// Read turns the bytes of a file into a Document: its title, author and date, and its text by pages as headings and paragraphs,
// with the links that lie on it. Document.HTML is the same as a page in HTML, which everything that reads pages can read.
//
// A PDF is a program, and many are damaged. So there are two fences. Inside, all that a file can ask for is counted (Limits):
// what its streams unpack to, how many objects and operators are looked at, how deep they nest, how much text comes out. What goes
// beyond a limit is left out, and what was read until then counts. Around it stands a process of its own: HTML gives the file to
// this program once more, in a room that has a bound on time, memory and output, and dies alone (room.go). Whoever links this
// package has such a room, a test and a Colly program, too.
//
// How it reads. The table of objects is followed as it stands, and made anew from the objects themselves where it is wrong, so
// that a file that was cut off tells what came. Text is decoded by ToUnicode, by the encoding of its font and its differences, by
// the predefined CMaps that are made of a charset (UniGB-UCS2-H, GBK-EUC-H, 90ms-RKSJ-H, …), or by the numbers that Adobe's
// collections have for the signs of such a charset; the fonts of dots that TeX makes by its own encodings. Letters that nothing
// says the meaning of are left out. Lines are made of what stands on one base line, paragraphs of lines that run on, also over
// columns and pages, headings of letters that are larger than most. Lines that repeat at the head or foot of pages are left out.
// What is encrypted with a password for its owner alone is read. There is no recognition of letters in pictures.
package pdf
