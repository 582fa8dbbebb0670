import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, useMemo, useState, type ReactNode } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useRefreshScreen } from '../../lib/calls/define-resource.ts'
import { FormHold } from '../../lib/forms/form-hold.ts'
import type { ChangedThing } from '../../lib/forms/last-change.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { QueryLoader } from '../page/query-loader.tsx'

interface FormLoaderProps<Data> {
  query: UseQueryResult<Data>
  /** The text for a form whose record cannot be loaded. */
  failureText: string
  /** The record that is edited: a conflict then says who has changed it. */
  thing?: ChangedThing
  children: (data: Data) => ReactNode
}

/**
 * Loading, then the form or an error text. A refresh of the query that brings something new replaces
 * the content of an untouched form. A form with unsaved changes keeps its content, and the version that a save is checked
 * against, until it is saved or the user reloads it. A failed refresh changes nothing.
 */
export function FormLoader<Data>(props: FormLoaderProps<Data>) {
  return (
    <QueryLoader query={props.query} failureText={props.failureText}>
      {(data) => <HeldForm {...props} data={data} />}
    </QueryLoader>
  )
}

interface HeldFormProps<Data> extends FormLoaderProps<Data> {
  data: Data
}

function HeldForm<Data>({ query, data, failureText, thing, children }: HeldFormProps<Data>) {
  const [isUnsaved, setIsUnsaved] = useState(false)
  const [openPanels] = useState(() => new Set<string>())
  // The form begins again with each round. What a refresh leaves equal is the same object.
  const [held, setHeld] = useState({ data, round: 0, isReloaded: false })
  if (!isUnsaved && held.data !== data) {
    setHeld({ data, round: held.round + 1, isReloaded: false })
  }

  const { refetch } = query
  const refreshScreen = useRefreshScreen()
  const [kind, id] = [thing?.thing, thing?.id]
  const hold = useMemo(
    () => ({
      report: setIsUnsaved,
      fetchNewest: async () => {
        const { data } = await refetch({ throwOnError: true })
        if (data !== undefined) setHeld((held) => ({ ...held, data }))
      },
      reload: async (isKept: () => boolean = () => false) => {
        const { isSuccess, data, error } = await refetch()
        if (!isSuccess) return notifyError(failureText, messageOf(error))
        const staysTyped = isKept()
        setHeld((held) =>
          staysTyped ? { ...held, data } : { data, round: held.round + 1, isReloaded: true },
        )
        return refreshScreen()
      },
      isReloaded: held.isReloaded,
      openPanels,
      thing: kind === undefined || id === undefined ? undefined : { thing: kind, id },
    }),
    [refetch, refreshScreen, failureText, kind, id, held.isReloaded, openPanels],
  )
  return (
    <FormHold value={hold}>
      <Fragment key={held.round}>{children(held.data)}</Fragment>
    </FormHold>
  )
}
