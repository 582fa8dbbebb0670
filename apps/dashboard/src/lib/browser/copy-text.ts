/**
 * Puts a text on the clipboard and returns whether that worked. Over plain HTTP browsers can only copy
 * a selection.
 */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const holder = document.createElement('textarea')
  holder.value = text
  holder.style.position = 'fixed'
  document.body.append(holder)
  holder.select()
  const hasCopied = document.execCommand('copy')
  holder.remove()
  return hasCopied
}
