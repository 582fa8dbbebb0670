/** Puts the cursor into the search field of the list on the screen. False where there is none. */
export function focusListSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (!field || field.disabled || document.querySelector('[aria-modal="true"]')) return false
  field.focus()
  field.select()
  return true
}
