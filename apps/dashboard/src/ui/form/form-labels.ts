/** What the screen calls a field: its label, else the words of its name. */
export function labelOf(form: ParentNode, path: string): string {
  const field = form.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)
  return (field && labelText(field)) || wordsOf(path)
}

/** With the name of the group that the field is in: rules of a form have the same fields. */
function labelText(field: HTMLElement): string {
  const own = ownLabel(field)
  const group = field.parentElement?.closest('fieldset')
  const around = own === '' || !group ? '' : ownLabel(group)
  return around === '' ? own : `${around}: ${own}`
}

function ownLabel(field: HTMLElement): string {
  const named = field.getAttribute('aria-label')
  if (named) return named
  const { labels = null } = field as Partial<HTMLInputElement>
  const label =
    labels?.[0] ??
    field.querySelector(':scope > legend') ??
    field.closest('.mantine-InputWrapper-root')?.querySelector('.mantine-InputWrapper-label, label')
  // The star of a field that is required is no part of its name.
  return label?.textContent?.replace(/\s*\*$/, '').trim() ?? ''
}

/** `static_headers` is “Static headers”; of a path, each part: `tls.ca` is “Tls: ca”. */
function wordsOf(path: string): string {
  const words = path.replaceAll('.', ': ').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
