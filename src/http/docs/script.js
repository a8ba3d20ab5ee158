// Small conveniences of the page, which works without them: addresses of this server in the examples, a copy button,
// and a mark at the section in view.
const written = 'http://127.0.0.1:8080'
for (const code of document.querySelectorAll('code')) {
  if (location.protocol.startsWith('http') && code.textContent.includes(written))
    code.textContent = code.textContent.replaceAll(written, location.origin)
}

for (const pre of document.querySelectorAll('.call pre, .answer pre, .guide pre')) {
  if (navigator.clipboard === undefined) break
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  const holder = document.createElement('div')
  holder.className = 'copyable'
  pre.replaceWith(holder)
  holder.append(pre, button)
}

const links = new Map()
for (const link of document.querySelectorAll('nav.side a[href^="#"]')) links.set(link.hash.slice(1), link)
const sections = [...document.querySelectorAll('main section[id]')]

function markCurrent() {
  const current = sections.findLast(section => section.getBoundingClientRect().top < innerHeight / 3)
  for (const [id, link] of links) {
    if (id === current?.id) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
  links.get(current?.id)?.scrollIntoView({ block: 'nearest' })
}

let due = 0
addEventListener('scroll', () => {
  cancelAnimationFrame(due)
  due = requestAnimationFrame(markCurrent)
})
markCurrent()

const menu = document.querySelector('details.menu')
menu.addEventListener('click', event => {
  if (event.target.closest('a') !== null) menu.open = false
})
