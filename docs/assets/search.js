// A search for a whole question leaves its small words out: with their ends open, "do" finds every document and door.
const SMALL = new Set(
  ("a about all an and any anybody anyone anything are as at be been but by can could did do does don't for from get got had has have he " +
    "her his how i i'm if in into is it its it's just like may me much must my need no not of on one or other our out own people she " +
    "should so some somebody something than that the their them then there these they this to too us want was we were what what's when " +
    "where which while who why will with won't would you your").split(" "),
);

const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  post.call(this, message?.type === 2 ? { ...message, data: telling(message.data) } : message, ...more);
};

/** Return the words of a question that tell what it is about; all of them where none does. */
function telling(question) {
  const words = question.replaceAll(/[?!.,;:]+(?=\s|$)/g, "").replaceAll("’", "'").split(/\s+/);
  return words.filter((word) => !SMALL.has(word.toLowerCase())).join(" ") || question;
}
