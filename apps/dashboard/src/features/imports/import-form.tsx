import { Button, Group, Stack, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { useFieldErrors } from '../../lib/forms/use-field-errors.ts'
import { useUnsaved } from '../../lib/forms/unsaved.ts'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { ImportApiCard } from './import-api-card.tsx'
import { ImportRequestCard } from './import-request-card.tsx'
import { ImportRoles } from './import-roles.tsx'
import { useRoleAccess } from './use-role-access.ts'
import { WhatItAnswers } from './what-it-answers.tsx'
import {
  countChosen,
  firstChoices,
  isOneRequest,
  toImportInput,
  withTargetOf,
  type ApiChoice,
} from './import-choice.ts'
import {
  useImport,
  usePreviewImport,
  type Imported,
  type Preview,
  type PreviewApi,
} from './import-queries.ts'
import classes from './imports.module.css'

interface ImportFormProps {
  document: string
  preview: Preview
  onImported: (result: Imported, roles: readonly number[]) => void
}

const formats: Record<Preview['format'], string> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  postman: 'Postman collection',
  curl: 'curl',
  address: 'URL',
}

/** What a document would make: the user chooses of it. */
export function ImportForm({ document, preview, onImported }: ImportFormProps) {
  const [apis, setApis] = useState(preview.apis)
  const [choices, setChoices] = useState(() => firstChoices(preview))
  const asking = usePreviewImport()
  const [askedUrls] = useState(() => new Map(preview.apis.map((api) => [api.key, api.api_url])))
  const importing = useImport()
  const { errors, attachForm, showErrors, clearErrors } = useFieldErrors()
  const isSingle = isOneRequest(preview)
  const [takesSignIn, setTakesSignIn] = useState(true)
  const access = useRoleAccess(isSingle)
  const { chosen: roles } = access
  const count = countChosen(choices)
  const input = toImportInput(
    { document, apis, roles, takesSignIn: takesSignIn && Boolean(preview.sign_in) },
    choices,
  )
  useUnsaved(!importing.isSuccess)

  const change = (key: string, next: ApiChoice) => setChoices((now) => ({ ...now, [key]: next }))

  /** Another base URL may be that of an API: what is stored is asked for again. */
  async function lookUp({ key }: PreviewApi, url: string) {
    if (askedUrls.get(key) === url) return
    askedUrls.set(key, url)
    const answer = await asking
      .mutateAsync({ document, api_urls: { [key]: url } })
      .catch(() => undefined)
    const next = answer?.apis.find((api) => api.key === key)
    if (!next || askedUrls.get(key) !== url) return
    setApis((now) => now.map((api) => (api.key === key ? next : api)))
    setChoices((now) => ({ ...now, [key]: withTargetOf(next, now[key]!) }))
  }

  async function handleSubmit() {
    clearErrors()
    try {
      onImported(await importing.mutateAsync(input), roles)
    } catch (error) {
      showErrors(error)
      notifyError('The import was refused. Nothing was made.', reasonOf(error))
    }
  }
  return (
    <form
      ref={attachForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void handleSubmit()
      }}
    >
      <Stack gap="md">
        {!isSingle && (
          <Text>
            <b>{preview.title}</b>, {formats[preview.format]} {preview.version}
          </Text>
        )}
        {preview.answer && <WhatItAnswers answer={preview.answer} />}
        {preview.notes.length > 0 && <Notes notes={preview.notes} />}
        {apis.map((api) => {
          const at = input.apis.findIndex(({ key }) => key === api.key)
          const errorOf = (field: string) => errors[`apis.${at}.${field}`]
          const props = {
            api,
            choice: choices[api.key]!,
            errorOf,
            onChange: (next: ApiChoice) => change(api.key, next),
            onUrlEntered: () => void lookUp(api, choices[api.key]!.url),
          }
          if (!isSingle) return <ImportApiCard key={api.key} {...props} />
          return (
            <ImportRequestCard
              key={api.key}
              {...props}
              signIn={preview.sign_in ?? null}
              takesSignIn={takesSignIn}
              onTakeSignIn={setTakesSignIn}
            />
          )
        })}
        <ImportRoles access={access} error={errors['roles']} />
        <Group>
          <Button
            type="submit"
            disabled={count === 0}
            loading={importing.isPending}
            leftSection={<IconFileImport size={16} aria-hidden />}
          >
            {count === 0
              ? 'Nothing to import'
              : isSingle
                ? 'Create it'
                : `Import ${count.toLocaleString('en')} ${count === 1 ? 'endpoint' : 'endpoints'}`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Notes({ notes }: { notes: Preview['notes'] }) {
  const title = notes.length === 1 ? '1 remark' : `${notes.length} remarks`
  return (
    <Disclosure
      title={title}
      note="What is not imported, or not as it is written"
      isOpenWhen={notes.length <= 5}
    >
      <ul className={classes['notes']} aria-label="Remarks">
        {notes.map(({ message, pointer, line }) => (
          <li key={`${pointer} ${message}`}>
            <span>{line === null ? '' : `Line ${line.toLocaleString('en')}`}</span>
            <span>{message}</span>
            {pointer !== '' && <code>{pointer}</code>}
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
