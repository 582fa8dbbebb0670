import { Stack, Textarea } from '@mantine/core'
import { useRef, useState, type ReactNode } from 'react'
import { CallError, reasonOf } from '../../lib/calls/call-error.ts'
import { firstMessages } from '../../lib/forms/field-errors.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Question {
  title: string
  /** Names the action, never just "OK". */
  confirmLabel: string
  /** Nothing can be lost: the button is not red. */
  isHarmless?: boolean
}

/** The text that is asked for. */
interface ReasonField {
  /** As the call names it. */
  name: string
  label: string
  description: string
  maxLength: number
  isRequired?: boolean
}

interface Asked<Subject, More> {
  subject: Subject
  more: More
  setMore: (more: More) => void
  /** The message of each field. */
  errors: Readonly<Record<string, string>>
}

interface ReasonDialogProps<Subject extends string | number, More extends object> {
  /** What it asks about; undefined while the dialog is closed. */
  subject: Subject | undefined
  ask: (subject: Subject) => Question
  field: ReasonField
  /** What else is asked for, by field, as it is at first. */
  more: More
  /** What stands above the text. */
  children: (asked: Asked<Subject, More>) => ReactNode
  /** Reports what was done itself. */
  perform: (subject: Subject, reason: string, more: More) => Promise<unknown>
  onClose: () => void
}

/**
 * Asks for a text before an action. It begins again whenever it opens, and for each subject: nothing that
 * was typed or refused before is left. A refusal is in the dialog, or in a toast where it was closed meanwhile.
 */
export function ReasonDialog<Subject extends string | number, More extends object>(
  props: ReasonDialogProps<Subject, More>,
) {
  const { subject, ask, field, perform, onClose } = props
  const { about, typed, setTyped } = useTyped(subject, props.more)
  const closings = useRef(0)
  const { reason, more, failure, isWorking } = typed
  const errors = failure instanceof CallError ? firstMessages(failure.errors) : {}
  const change = (changes: Partial<typeof typed>) => setTyped((now) => ({ ...now, ...changes }))

  function handleClose() {
    closings.current++
    onClose()
  }

  async function handleConfirm() {
    if (subject === undefined) return
    change({ isWorking: true, failure: undefined })
    // The answer may be late: by then the dialog may ask about something else.
    const before = closings.current
    const isStillOpen = () => closings.current === before
    try {
      await perform(subject, reason, more)
      if (isStillOpen()) handleClose()
    } catch (error) {
      if (isStillOpen()) change({ isWorking: false, failure: error })
      else notifyError(reasonOf(error))
    }
  }

  const question = about === undefined ? undefined : ask(about)
  return (
    <ConfirmDialog
      isOpen={subject !== undefined}
      title={question?.title ?? ''}
      confirmLabel={question?.confirmLabel}
      isHarmless={question?.isHarmless ?? false}
      isWorking={isWorking}
      failure={isOfFields(errors, [field.name, ...Object.keys(more)]) ? undefined : said(failure)}
      onConfirm={() => void handleConfirm()}
      onClose={handleClose}
    >
      <Stack gap="sm">
        {about !== undefined &&
          props.children({
            subject: about,
            more,
            setMore: (next) => change({ more: next }),
            errors,
          })}
        <Textarea
          label={field.label}
          description={field.description}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={reason}
          onChange={(event) => change({ reason: event.currentTarget.value })}
          error={errors[field.name]}
          maxLength={field.maxLength}
          rows={2}
          withAsterisk={field.isRequired ?? false}
        />
      </Stack>
    </ConfirmDialog>
  )
}

/** What was typed about the subject, which the dialog still shows while it fades out. */
function useTyped<Subject, More>(subject: Subject | undefined, more: More) {
  const blank = { reason: '', more, failure: undefined as unknown, isWorking: false }
  const [shown, setShown] = useState<{ about: Subject | undefined; isOpen: boolean }>({
    about: undefined,
    isOpen: false,
  })
  const [typed, setTyped] = useState(blank)
  const isOpen = subject !== undefined
  if (isOpen !== shown.isOpen || (isOpen && subject !== shown.about)) {
    setShown({ about: subject ?? shown.about, isOpen })
    if (isOpen) setTyped(blank)
  }
  return { about: shown.about, typed, setTyped }
}

/** Whether all that is wrong is said at fields of the dialog. */
function isOfFields(errors: Readonly<Record<string, string>>, fields: readonly string[]): boolean {
  const wrong = Object.keys(errors)
  return wrong.length > 0 && wrong.every((name) => fields.includes(name))
}

const said = (failure: unknown) => (failure === undefined ? undefined : reasonOf(failure))
