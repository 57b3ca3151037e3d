// SPDX-License-Identifier: Apache-2.0
// Follows controls.js in the same file. Asks the browser for passkeys, and sends what it returns as an event of the page.
{
const { PublicKeyCredential: type } = window;
const isSupported = type?.parseCreationOptionsFromJSON && type.parseRequestOptionsFromJSON && type.prototype.toJSON;
/** Ends the request that waits until a person chooses a passkey among the suggestions for the user name. */
let waiting;
/** What the page declares: markup can name any event, and nobody has pressed the button that asks for suggestions. */
const { page, events = [] } = JSON.parse(document.head.querySelector('[data-us-declaration]')?.textContent || '{}');
const isRequest = ({ type, form, dataset }, own) => type === 'button' && form === own && own.dataset.usPage === page
    && events.some(({ event, gives }) => event === dataset.usClick && gives?.renders.includes('passkeyRequest'));

/** Shows a text next to the button, or removes it. */
const say = (form, text = '') => form.querySelector('[data-passkey-message]').textContent = text;

for (const form of document.querySelectorAll('[data-passkey]')) {
    if (!isSupported) form.hidden = true;
    const [request, send] = form.querySelectorAll('button');
    const ask = options => 'pubKeyCredParams' in options
        ? navigator.credentials.create({ publicKey: type.parseCreationOptionsFromJSON(options) })
        : navigator.credentials.get({
            publicKey: type.parseRequestOptionsFromJSON(options),
            mediation: form.dataset.mediation,
            signal: (waiting = new AbortController()).signal,
        });
    request.addEventListener('click', ({ isTrusted }) => {
        waiting?.abort();
        form.dataset.mediation = isTrusted ? 'optional' : 'conditional';
        say(form);
    });
    form.addEventListener('understudy:answer', async ({ target, detail }) => {
        // It works once. A name is for one passkey.
        form.elements.passkey.value = '';
        if (target === send && detail.ok) form.reset();
        if (target !== request) return;
        const isPressed = form.dataset.mediation === 'optional';
        const { value } = detail.commands.findLast(({ key }) => ['passkeyRequest', 'passkeyCreation'].includes(key)) ?? {};
        if (!value) return isPressed && detail.ok && !detail.next && say(form, form.dataset.none);
        try {
            form.elements.passkey.value = JSON.stringify(await ask(value));
            send.click();
        } catch (error) {
            // A person has cancelled, or the page has asked again.
            if (isPressed && error.name !== 'AbortError') say(form, error.name === 'InvalidStateError' ? form.dataset.known : form.dataset.failed);
        }
    });
    if (isSupported && 'conditional' in form.dataset && isRequest(request, form) && await type.isConditionalMediationAvailable?.()) request.click();
}

// The second step of a login leads to where the first one would have led.
document.addEventListener('understudy:goToPage', event => {
    const { name, href } = event.detail, back = new URLSearchParams(location.search).get('_back');
    if (name !== 'secondFactor' || !back) return;
    event.preventDefault();
    location.assign(`${href}?_back=${encodeURIComponent(back)}`);
});
}
