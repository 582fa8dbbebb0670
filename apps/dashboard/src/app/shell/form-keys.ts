/** A dialog covers the screen: keys act on what is in it. */
const scope = (): Element => document.querySelector('[role="dialog"]') ?? document.body

/** Saves the form that has the focus, else the first that can be saved. */
export function saveForm(): void {
  const own = document.activeElement?.closest('form')
  const forms = [...(own ? [own] : []), ...scope().querySelectorAll('form')]
  const found = forms.find((form) => submitButtonOf(form))
  // A click, not a submit: a button that is busy or disabled stays so.
  if (found) submitButtonOf(found)?.click()
}

/** Presses the button that sends, the one nearest to the focus. Without one, saves the form. */
export function sendRequest(): void {
  const button = nearest('button[data-send]')
  if (button) button.click()
  else saveForm()
}

/** Its button may be beside it. */
const submitButtonOf = (form: HTMLFormElement) =>
  [...form.elements].find(
    (element): element is HTMLButtonElement =>
      element instanceof HTMLButtonElement && element.type === 'submit' && !element.disabled,
  )

function nearest(selector: string): HTMLElement | undefined {
  for (let part = document.activeElement; part; part = part.parentElement) {
    const found = part.querySelector<HTMLElement>(selector)
    if (found) return scope().contains(found) ? found : undefined
  }
  return scope().querySelector<HTMLElement>(selector) ?? undefined
}
