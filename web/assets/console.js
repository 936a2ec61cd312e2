// Everything works without this file. It ticks all boxes of a list at once.
document.addEventListener('change', (event) => {
  const all = event.target
  if (!(all instanceof HTMLInputElement) || all.dataset.all === undefined) return
  for (const box of document.querySelectorAll(`input[name="${all.dataset.all}"]`))
    box.checked = all.checked
})
