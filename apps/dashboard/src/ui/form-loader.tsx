import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, useMemo, useState, type ReactNode } from 'react'
import { messageOf } from '../lib/call-error.ts'
import type { ChangedThing } from '../lib/last-change.ts'
import { notifyError } from '../lib/notify.tsx'
import { FormHold } from './form-hold.ts'
import { QueryLoader } from './query-loader.tsx'

interface FormLoaderProps<Data> {
  query: UseQueryResult<Data>
  /** The text for a form whose record cannot be loaded. */
  failureText: string
  /** The record that is edited: a conflict then says who has changed it. */
  thing?: ChangedThing
  /** Renders the form; `reload` fetches the record and replaces what was typed. */
  children: (data: Data, reload: () => void) => ReactNode
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
  // `since` is when the form began: with another it begins again. What a refresh leaves equal is the same object.
  const [held, setHeld] = useState({ data, since: query.dataUpdatedAt })
  if (!isUnsaved && held.data !== data) setHeld({ data, since: query.dataUpdatedAt })

  const { refetch } = query
  const [kind, id] = [thing?.thing, thing?.id]
  async function reload() {
    const { isSuccess, data, dataUpdatedAt: at, error } = await refetch()
    if (isSuccess) setHeld({ data, since: at })
    else notifyError(failureText, messageOf(error))
  }
  const hold = useMemo(
    () => ({
      report: setIsUnsaved,
      fetchNewest: async () => {
        const { data } = await refetch({ throwOnError: true })
        if (data !== undefined) setHeld(({ since }) => ({ data, since }))
      },
      thing: kind === undefined || id === undefined ? undefined : { thing: kind, id },
    }),
    [refetch, kind, id],
  )
  return (
    <FormHold value={hold}>
      <Fragment key={held.since}>{children(held.data, () => void reload())}</Fragment>
    </FormHold>
  )
}
