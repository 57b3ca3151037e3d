// SPDX-License-Identifier: Apache-2.0
// Buttons that show and hide what is typed in a password field.

for (const button of document.querySelectorAll('.reveal > button')) {
    const input = document.getElementById(button.getAttribute('aria-controls'));
    button.addEventListener('click', () => {
        const isShown = input.type === 'password';
        input.type = isShown ? 'text' : 'password';
        button.setAttribute('aria-pressed', isShown);
    });
}
