/* global addEventListener, document */
// In every page of the reference: what opens and closes a section has a link to itself within, which keys and screen readers cannot
// tell apart from it. The headings of names keep theirs.
addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll("summary .tsd-anchor-icon")) link.remove();
});
