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

// Not every browser opens the part to which a link leads.
function open() {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest('details')?.setAttribute('open', '');
    mark();
}
addEventListener('hashchange', open);
open();

// On a narrow window, the contents cover what they lead to.
contents.addEventListener('click', event => { if (event.target.closest('a')) toggle.open = false; });
