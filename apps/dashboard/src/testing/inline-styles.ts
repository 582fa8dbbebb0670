// The queries by role ask of every element and its parents whether a style hides it. The styles of the page are
// not loaded in tests, so that only the `style` attribute can; happy-dom compares each element with each rule of the
// editor's sheets all the same, for a fifth of what a screen's test costs. Everything else asks happy-dom.

const full = window.getComputedStyle.bind(window)

/** What the browser's own sheet says of an element: `block` of a `div`. */
const displayOfTag = new Map<string, string>()

window.getComputedStyle = (element, pseudo) => {
  if (pseudo || !element.isConnected) return full(element, pseudo)
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name) {
      if (name === 'getPropertyValue') return (asked: string) => ask(element, asked)
      if (name === 'pointerEvents') return ask(element, 'pointer-events')
      return typeof name === 'string' ? ask(element, name) : undefined
    },
  })
}

function ask(element: Element, name: string): string {
  if (name === 'display') return inline(element, name) || displayOf(element)
  if (name === 'pointer-events') return inline(element, name)
  if (name === 'visibility') {
    for (let each: Element | null = element; each; each = each.parentElement) {
      const value = inline(each, name)
      if (value !== '' && value !== 'inherit') return value
    }
    return 'visible'
  }
  const style = full(element)
  const value: unknown = Reflect.get(style, name)
  return typeof value === 'string' ? value : style.getPropertyValue(name)
}

const inline = (element: Element, name: string): string =>
  element.hasAttribute('style') ? (element as HTMLElement).style.getPropertyValue(name) : ''

function displayOf({ tagName, namespaceURI, localName }: Element): string {
  const known = displayOfTag.get(tagName)
  if (known !== undefined) return known
  const sample = document.createElementNS(namespaceURI, localName)
  document.documentElement.append(sample)
  const { display } = full(sample)
  sample.remove()
  displayOfTag.set(tagName, display)
  return display
}
