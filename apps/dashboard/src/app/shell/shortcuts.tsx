import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { saveForm, sendRequest } from './form-keys.ts'

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))

/** The keys that work on every screen; `?` lists them. */
export function ShortcutsHelp() {
  const [isOpen, setIsOpen] = useState(false)
  useHotkeys([['shift+?', () => setIsOpen(true)]], undefined, false)
  useHotkeys(
    [
      ['mod+S', () => saveForm()],
      ['mod+Enter', () => sendRequest()],
    ],
    [],
    true,
  )
  if (!isOpen) return null
  return (
    <Suspense>
      <ShortcutsDialog onClose={() => setIsOpen(false)} />
    </Suspense>
  )
}
