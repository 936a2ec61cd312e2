// Everything works without this file.

// It ticks all boxes of a list at once. Without it the box for that is hidden.
for (const all of document.querySelectorAll('input[data-all]')) all.hidden = false
document.addEventListener('change', (event) => {
  const all = event.target
  if (!(all instanceof HTMLInputElement) || all.dataset.all === undefined) return
  for (const box of document.querySelectorAll(`input[name="${all.dataset.all}"]`))
    box.checked = all.checked
})

// When the running work renews itself, each command stays open or closed, and the keyboard stays where it is.
let openBefore = new Map()
let focused
document.addEventListener('htmx:beforeSwap', ({ target }) => {
  openBefore = new Map([...target.querySelectorAll('details')].map(({ id, open }) => [id, open]))
  focused = target.contains(document.activeElement)
    ? document.activeElement.closest('details')?.id
    : undefined
})
document.addEventListener('htmx:afterSwap', ({ target }) => {
  for (const details of target.querySelectorAll('details'))
    details.open = openBefore.get(details.id) ?? details.open
  if (focused !== undefined)
    document.querySelector(`#${focused} summary`)?.focus({ preventScroll: true })
})
