export function PopoverContextMenu(): never {
  throw new Error('The build leaves context menus of popovers out (bundling/plain-parts.ts).')
}

export function FloatingArrow({ visible }: { visible: boolean }) {
  if (visible) throw new Error('The build leaves arrows out (bundling/plain-parts.ts).')
  return null
}
