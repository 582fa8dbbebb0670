/**
 * Puts text on the clipboard. The clipboard API is absent on plain-http addresses other than
 * localhost, where the older way still works. False when the browser refuses both.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const carrier = document.createElement('textarea')
  carrier.value = text
  carrier.style.position = 'fixed'
  carrier.style.opacity = '0'
  document.body.append(carrier)
  carrier.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    carrier.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
