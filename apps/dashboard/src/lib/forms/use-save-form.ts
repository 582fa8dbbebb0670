import type { UseFormReturnType } from '@mantine/form'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type RefCallback,
  type RefObject,
  type SubmitEventHandler,
} from 'react'
import { CallError, messageOf } from '../calls/call-error.ts'
import { withChanges } from '../format/compare-values.ts'
import { firstMessages, useFocusFirstError } from './field-errors.ts'
import { mainId, pageTitleId } from '../page/page-focus.ts'
import { useHold } from './form-hold.ts'
import { notifyError, notifySuccess } from '../page/notify.tsx'
import { useLeaveForm } from './leave-form.ts'
import { useFormConflict, type FormConflict } from './use-form-conflict.ts'
import { useFormDraft, type FormDraft } from './use-form-draft.ts'

interface Message {
  /** The specification's text. */
  text: string
  /** A second line, where the specification's text alone would mislead. */
  detail?: string
  /** Shown by the browser's own alert instead of a toast (spec: messages). */
  isAlert?: boolean
}

export interface SaveTexts {
  /** A function where the text depends on the answer. */
  saved: Message | ((answer: unknown) => Message)
  /** For a 422, where the specification has a text for it; else `notSaved` is shown. */
  invalid?: Message
  /** The reason follows its detail. */
  notSaved: Message
}

interface SaveFormOptions<Values extends Record<string, unknown>, Answer> {
  form: UseFormReturnType<Values>
  /** What the form began with, of the record as it was last loaded. */
  initialValues: Values
  /** Fields that hold secrets, besides those whose names say so: they are never kept in the browser. */
  secrets?: readonly string[]
  save: (values: Values) => Promise<Answer>
  texts: SaveTexts
  /**
   * The path of what was saved; null: the screen shows what follows. Without it the form stays, and begins again with
   * what is stored.
   */
  target?: ((answer: Answer) => string | null) | undefined
}

type SaveState = 'idle' | 'saving' | 'saved' | 'interrupted'

/**
 * What every form of the product does with its answer (spec: validation, messages): after a save a toast, and at
 * once the thing that was saved (decision 0019); after a 422 a toast and the first message under each field, the
 * focus in the first wrong one; after anything else a toast. Where another user has changed the record, the
 * fields that both have changed are compared before it is sent again. What is typed is kept as a draft.
 */
export function useSaveForm<Values extends Record<string, unknown>, Answer>(
  options: SaveFormOptions<Values, Answer>,
): FormSaving {
  const { form, save, texts, target, initialValues, secrets } = options
  const [state, setState] = useState<SaveState>('idle')
  const element = useRef<HTMLFormElement>(null)
  const focusFirstError = useFocusFirstError(element)
  // A form that leads on is there to be filled in.
  useFirstFieldFocus(element, target !== undefined)
  const isUnsaved = state !== 'saved' && form.isDirty()
  const lead = useLead()
  const { reload } = useHold()
  const draft = useFormDraft({ form, isUnsaved, secrets })
  const { conflict, refuse: compare, compareDraft, settle } = useFormConflict(form, initialValues)

  async function handleSave(values: Values) {
    setState('saving')
    form.clearErrors()
    try {
      const answer = await save(values)
      setState('saved')
      draft.drop()
      const saved = typeof texts.saved === 'function' ? texts.saved(answer) : texts.saved
      if (saved.isAlert) window.alert(saved.text)
      else notifySuccess(saved.text, saved.detail)
      if (target) lead(target(answer))
      else await beginAgain(values)
    } catch (error) {
      setState(error instanceof CallError && error.status === 401 ? 'interrupted' : 'idle')
      if (isConflict(error)) compare()
      refuse(error)
    }
  }

  /** What was typed since the form was sent stays. A form without a record behind it is blank again. */
  async function beginAgain(saved: Values) {
    if (reload) {
      form.resetDirty(saved)
      await reload(() => form.isDirty())
    } else form.reset()
    setState('idle')
  }

  function showErrors(errors: Record<string, string>) {
    form.setErrors(errors)
    focusFirstError()
  }

  function refuse(error: unknown) {
    if (error instanceof CallError && error.status === 422) {
      showErrors(firstMessages(error.errors))
      if (texts.invalid) return notifyError(texts.invalid.text, texts.invalid.detail)
    }
    const { text, detail, isAlert } = texts.notSaved
    const reason = detail === undefined ? messageOf(error) : `${detail} ${messageOf(error)}`
    if (!isAlert) return notifyError(text, reason)
    // An alert holds the specification's text alone: the form shows the reason.
    if (!hasOwnNotice(error)) form.setErrors({ [noField]: reason })
    return window.alert(text)
  }

  return {
    attachForm: (form) => {
      element.current = form
    },
    handleSubmit: form.onSubmit((values) => {
      if (conflict.cause) conflict.show()
      else void handleSave(values)
    }),
    state,
    isBusy: state === 'saving' || state === 'saved',
    isUnsaved,
    draft,
    continueDraft: () => {
      if (!draft.offer) return
      if (draft.hasClashes) return compareDraft(draft.offer)
      form.setValues(withChanges(form.getValues(), draft.offer.changes))
      draft.settle()
    },
    conflict,
    settleConflict: (isKept, isSaved) => {
      const values = settle(isKept)
      draft.settle()
      if (isSaved) void handleSave(values)
    },
    showErrors,
    ...errorsOf(form),
  }
}

function errorsOf({
  errors,
  values,
}: Pick<UseFormReturnType<Record<string, unknown>>, 'errors' | 'values'>) {
  const fields = Object.keys(errors)
  return {
    errorFields: fields.filter((field) => isFieldOf(values, field)),
    strayErrors: fields.flatMap((field) => {
      const message = errors[field]
      return isFieldOf(values, field) || typeof message !== 'string' ? [] : [message]
    }),
  }
}

export interface FormSaving {
  attachForm: RefCallback<HTMLFormElement>
  handleSubmit: SubmitEventHandler<HTMLFormElement>
  /** `interrupted`: the session had ended when the form was sent. */
  state: SaveState
  isBusy: boolean
  /** The form holds changes that leaving would lose. */
  isUnsaved: boolean
  draft: FormDraft
  continueDraft: () => void
  conflict: FormConflict
  /** Ends the comparison: what is not kept becomes what the record has. Saves it where told to. */
  settleConflict: (isKept: (path: string) => boolean, isSaved: boolean) => void
  /** Shows these messages instead of the ones before, with the focus in the first wrong field. */
  showErrors: (errors: Record<string, string>) => void
  /** Paths of fields with a message. */
  errorFields: string[]
  /** Messages for fields that this form does not have. */
  strayErrors: string[]
}

/** Key of a message that belongs to the form as a whole. */
const noField = ''

/** `address.street` and `rows.0.name` are fields where the values hold something at that path. */
function isFieldOf(values: Record<string, unknown>, field: string): boolean {
  if (field in values) return true
  let at: unknown = values
  for (const name of field.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = (at as Record<string, unknown>)[name]
  }
  return true
}

function hasOwnNotice(error: unknown): boolean {
  return isConflict(error) || (error instanceof CallError && error.status === 422)
}

function isConflict(error: unknown): boolean {
  return error instanceof CallError && error.code === 'record.changed'
}

/** Leads on once the form has been rendered as saved: before, it asks whether its changes may be lost. */
function useLead() {
  const leave = useEffectEvent(useLeaveForm())
  const [path, setPath] = useState<string | null>(null)
  useEffect(() => {
    if (path !== null) leave(path)
  }, [path])
  return setPath
}

/**
 * Gives the focus to the first field in the element, unless the user has gone elsewhere already. For screens that are
 * there to be filled in.
 */
export function useFirstFieldFocus(element: RefObject<HTMLElement | null>, isWanted = true): void {
  // After the focus of the screen, which is set before anything is painted.
  useEffect(() => {
    const { activeElement } = document
    const isFree =
      activeElement === document.body || activeElement?.matches(`#${pageTitleId}, #${mainId}`)
    // A keyboard would cover half of a phone.
    if (!isWanted || !isFree || isTouched()) return
    element.current
      ?.querySelector<HTMLElement>(
        'input:is([type=text],[type=email],:not([type])):enabled, textarea:enabled',
      )
      ?.focus({ preventScroll: true })
  }, [element, isWanted])
}

// In two parts: the build would take the whole for a text of the screen.
const coarse = 'coarse'
const isTouched = () => matchMedia(`(pointer: ${coarse})`).matches
