import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks before unsaved changes of a form are lost, through a link or by closing the window. */
export function UnsavedGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isUnsaved) return undefined
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', handleUnload)
    return () => window.removeEventListener('beforeunload', handleUnload)
  }, [isUnsaved])

  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title="Leave without saving?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <Text size="sm">What you changed in this form has not been saved and will be lost.</Text>
    </ConfirmDialog>
  )
}
