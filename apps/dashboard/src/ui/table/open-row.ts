import type { KeyboardEvent, MouseEvent } from 'react'

const controls = 'a,button,input,label,select,textarea,summary,[role="button"]'

/** What a row opens has this attribute: a link, or a button that shows the details. */
export const opens = { 'data-opens': true } as const

/**
 * For the body of a table: a press beside the links and buttons of a row does what a press on the row's `opens`
 * does. The middle button, Ctrl and Cmd open a tab where that is a link. A press that ends a selection of text
 * opens nothing. Enter in the box of a row opens it too.
 */
export const openingRows = {
  onClick: (event: MouseEvent<HTMLElement>) => {
    if (document.getSelection()?.isCollapsed === false) return
    open(event, event.ctrlKey || event.metaKey)
  },
  onAuxClick: (event: MouseEvent<HTMLElement>) => {
    if (event.button === 1) open(event, true)
  },
  onMouseDown: (event: MouseEvent<HTMLElement>) => {
    // Otherwise the middle button begins to scroll the page.
    if (event.button === 1 && openerOf(event)) event.preventDefault()
  },
  onKeyDown: ({ key, target }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.type !== 'checkbox')
      return
    openerIn(target)?.click()
  },
}

function open(event: MouseEvent<HTMLElement>, isTab: boolean) {
  const opener = openerOf(event)
  if (opener === undefined) return
  if (isTab && opener instanceof HTMLAnchorElement) window.open(opener.href, '_blank', 'noopener')
  else opener.click()
}

function openerOf({ target, currentTarget, defaultPrevented }: MouseEvent<HTMLElement>) {
  // What a dialog of a row reports comes here too, and is no part of the table.
  const isOfRow = target instanceof Element && currentTarget.contains(target)
  if (defaultPrevented || !isOfRow || target.closest(controls)) return undefined
  return openerIn(target)
}

const openerIn = (part: Element) =>
  part.closest('tr')?.querySelector<HTMLElement>('[data-opens]') ?? undefined
