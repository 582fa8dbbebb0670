import { Text } from '@mantine/core'
import { useCallback, useEffect, useId, useRef, type ReactNode } from 'react'
import { useBlocker } from 'react-router'
import { useFormHold } from '../../lib/forms/form-hold.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useUnsaved } from '../../lib/forms/unsaved.ts'
import type { FormSaving } from '../../lib/forms/use-save-form.ts'
import { AllShown } from '../table/all-shown.ts'
import type { ValueWords } from './clash-field.tsx'
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx'
import { DraftOffer } from './draft-offer.tsx'
import classes from './form-frame.module.css'
import { SavePanel } from './save-panel.tsx'
import { UnresolvedFields } from '../text/unresolved.tsx'

interface FormFrameProps {
  saving: FormSaving
  submitLabel: string
  cancelPath: string
  /** What choices are called where two changes of a field are compared. */
  words?: ValueWords | undefined
  /** Beside the fields: what the thing is. */
  aside?: ReactNode
  /** The fields need the whole width: Save and Cancel stay at the lower edge of the window. */
  isWide?: boolean
  children: ReactNode
}

const ConflictDialog = lazyPart(
  async () => (await import('../dialog/conflict-dialog.tsx')).ConflictDialog,
)

/**
 * Everything around the fields of a form: what the thing is, Save and Cancel always in sight, drafts, conflicts,
 * stray messages, unsaved changes. From 80 em of window in two columns.
 */
export function FormFrame(props: FormFrameProps) {
  const { saving, aside, isWide = false, children } = props
  const { attachForm, handleSubmit } = saving
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const attach = useCallback(
    (element: HTMLFormElement | null) => {
      form.current = element
      attachForm(element)
    },
    [attachForm],
  )
  // A refresh must not reset a saved form before the next screen replaces it.
  const hold = useFormHold(saving.isUnsaved || saving.isBusy)
  useUnsaved(saving.isUnsaved)
  return (
    <UnresolvedFields>
      <div className={classes['frame']} data-wide={isWide || undefined}>
        <form
          ref={attach}
          id={formId}
          className={classes['cards']}
          onSubmit={handleSubmit}
          noValidate
          autoComplete="off"
        >
          <DraftOffer saving={saving} />
          <AllShown value={saving.conflict.isShown}>{children}</AllShown>
        </form>
        <div className={classes['side']}>
          {aside !== undefined && <div className={classes['about']}>{aside}</div>}
          <SavePanel {...props} form={form} formId={formId} />
        </div>
      </div>
      {saving.conflict.isShown && (
        <ConflictDialog saving={saving} form={form} words={props.words} hold={hold} />
      )}
      <UnsavedGuard saving={saving} />
    </UnresolvedFields>
  )
}

/** Asks before unsaved changes of a form are lost, through a link or by closing the window. */
function UnsavedGuard({ saving: { isUnsaved, draft } }: { saving: FormSaving }) {
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

  function handleLeave() {
    draft.drop()
    blocker.proceed?.()
  }
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title="Leave without saving?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={handleLeave}
      onClose={() => blocker.reset?.()}
    >
      <Text size="sm">What you changed in this form has not been saved and will be lost.</Text>
    </ConfirmDialog>
  )
}
