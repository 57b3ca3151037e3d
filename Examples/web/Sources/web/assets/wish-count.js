// An element of its own: it shows how many wishes there are, and follows the page.
const { subscribe } = await import(document.getElementById('understudy').src);

customElements.define('wish-count', class extends HTMLElement {
    connectedCallback() {
        this.end = subscribe('wishes', ({ wishes = [] }) => this.textContent = `${wishes.length} so far`);
    }
    disconnectedCallback() {
        this.end();
    }
});
