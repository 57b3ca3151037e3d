// SPDX-License-Identifier: Apache-2.0
// What the page /docs does besides showing the document.

const contents = document.querySelector('.contents');
const toggle = document.querySelector('.toggle');
const links = new Map([...contents.querySelectorAll('a')].map(link => [link.hash.slice(1), link]));

// Marks the part that is read: the last one that begins above the middle of the upper half of the window.
const parts = [...document.querySelectorAll('article [id]')].filter(part => links.has(part.id));
let current;

function mark() {
    let part;
    for (const next of parts) {
        if (!next.checkVisibility()) continue;
        if (next.getBoundingClientRect().top > innerHeight / 4) break;
        part = next;
    }
    const link = links.get(part?.id);
    if (link === current) return;
    current?.removeAttribute('aria-current');
    current = link;
    link?.setAttribute('aria-current', 'location');
    // Without scrollIntoView, which would also scroll the page.
    const box = link?.getBoundingClientRect(), frame = contents.getBoundingClientRect();
    if (box && (box.top < frame.top || box.bottom > frame.bottom)) contents.scrollTop += box.top - frame.top - frame.height / 3;
}

let isWaiting = false;
addEventListener('scroll', () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; mark(); });
}, { passive: true });

const samples = document.querySelectorAll('.samples');
for (const code of document.querySelectorAll('.samples code')) code.textContent = code.textContent.replaceAll('http://localhost:8080', location.origin);

/** Shows the samples in a language, of the operations that have one. */
function show(language) {
    for (const choice of document.querySelectorAll('.samples input')) if (choice.value === language) choice.checked = true;
}

/** Reads and writes the language that was chosen last. A browser that stores nothing throws. */
function remember(language) {
    try {
        if (language) localStorage.setItem('docs.language', language);
        return localStorage.getItem('docs.language');
    } catch {
        return language;
    }
}

for (const choices of samples) {
    choices.addEventListener('change', ({ target }) => {
        const top = target.getBoundingClientRect().top;
        show(remember(target.value));
        // What is above has another height now.
        scrollBy(0, target.getBoundingClientRect().top - top);
    });
}
show(remember());

const search = contents.querySelector('[type=search]');
const status = contents.querySelector('[role=status]');
const entries = [...document.querySelectorAll('.operation, article details')];
const texts = new Map();

/** What a search finds an operation, an error or a schema by: everything but the names of errors and the samples, which many share. */
function text(entry) {
    if (!texts.has(entry)) {
        const copy = entry.cloneNode(true);
        for (const part of copy.querySelectorAll('.errors, .samples')) part.remove();
        texts.set(entry, `${entry.id} ${copy.textContent}`.toLowerCase());
    }
    return texts.get(entry);
}

/** Shows what contains all words of the search. */
function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const part = document.getElementById(current?.hash.slice(1));
    for (const entry of entries) {
        entry.hidden = !words.every(word => text(entry).includes(word));
        const link = links.get(entry.id || entry.querySelector('[id]').id);
        if (link) link.parentElement.hidden = entry.hidden;
    }
    for (const section of document.querySelectorAll('article > section')) {
        section.hidden = !section.querySelector(':is(.operation, details):not([hidden])');
        links.get(section.id).parentElement.hidden = section.hidden;
    }
    document.querySelector('.intro').hidden = words.length > 0;
    status.textContent = words.length ? `${status.dataset.matches}: ${entries.filter(entry => !entry.hidden).length}` : '';
    if (words.length) scrollTo(0, Math.min(scrollY, contents.closest('.docs').offsetTop));
    else part?.scrollIntoView();
    mark();
}

function clear() {
    search.value = '';
    filter();
}

search.addEventListener('input', filter);
search.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
        event.preventDefault();
        clear();
    } else if (event.key === 'Enter') {
        contents.querySelector('li:not([hidden]) li:not([hidden]) a')?.click();
    }
});
addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    toggle.open = true;
    search.focus();
});

// Not every browser opens the part to which a link leads. And it may be hidden by a search.
function open() {
    const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    part?.closest('details')?.setAttribute('open', '');
    if (part?.closest('[hidden]')) {
        clear();
        part.scrollIntoView();
    }
    mark();
}
addEventListener('hashchange', open);
open();

// On a narrow window, the contents cover what they lead to.
contents.addEventListener('click', event => { if (event.target.closest('a')) toggle.open = false; });
