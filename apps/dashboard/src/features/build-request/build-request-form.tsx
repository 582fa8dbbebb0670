import { Paper, Stack } from '@mantine/core'
import type { EndpointOption } from '@gatehouse/contract'
import { useDeferredValue, useMemo, useState } from 'react'
import { AnswerPane } from './answer-pane.tsx'
import classes from './build-request.module.css'
import { detailOf } from './endpoint-select.tsx'
import { FetchControls } from './fetch-controls.tsx'
import { FromPane } from './from-pane.tsx'
import { MappedJsonPane } from './mapped-json-pane.tsx'
import { previewMapping, type MappedPreview } from './mapped-preview.ts'
import { MappingEditor } from './mapping-editor.tsx'
import { RepeatDialog } from './repeat-dialog.tsx'
import { RequestCard } from './request-card.tsx'
import { SendControls } from './send-controls.tsx'
import { useFetching } from './use-fetching.ts'
import { useKeptForm } from './use-kept-form.ts'
import { useMappingRows } from './use-mapping-rows.ts'
import { useSending } from './use-sending.ts'
import { secondEndpoint, whatIsSent, type Sent } from './what-is-sent.ts'

/** The screen once the choices are there. Tokens live in this component and nowhere else. */
export function BuildRequestForm({ choices }: { choices: readonly EndpointOption[] }) {
  const { userId, form, update, changeRows } = useKeptForm()
  const [getToken, setGetToken] = useState('')
  const [sendToken, setSendToken] = useState('')
  const fetching = useFetching()
  const sending = useSending(userId, form, update)
  const mapping = useMappingRows(form.rows, changeRows)
  const data = useDeferredValue(fetching.fetched?.data)
  const rows = useDeferredValue(form.rows)
  const preview = useMemo(() => previewMapping(data, rows), [data, rows])
  const body = useDeferredValue(form.sendBody)
  const sent = useMemo(() => whatIsSent(body, rows), [body, rows])
  const getChoice = choices.find(({ id }) => String(id) === form.getEndpoint)
  const sendChoice = choices.find(({ id }) => String(id) === form.sendEndpoint)

  function handleGet() {
    const endpoint = getChoice ? form.getEndpoint : null
    const input = { endpoint, body: form.getBody, token: getToken }
    fetching.handleGet(input, nameOf(getChoice))
  }
  function handleSend() {
    sending.handleSend({
      endpoint: sendChoice ? form.sendEndpoint : null,
      endpointName: nameOf(sendChoice),
      fetched: fetching.fetched?.data,
      second: secondEndpoint(form.sendBody, form.rows),
      token: sendToken,
    })
  }

  const isBodySent = sent.kind !== 'mapping'
  return (
    <Stack gap="md">
      <div className={classes['cards']}>
        <RequestCard
          ref={fetching.card}
          title="Form endpoint"
          choices={choices}
          endpoint={form.getEndpoint}
          onEndpoint={(getEndpoint) => {
            update({ getEndpoint })
            fetching.clearError('end_point')
          }}
          token={getToken}
          onToken={(token) => {
            setGetToken(token)
            fetching.clearError('token')
          }}
          body={form.getBody}
          onBody={(getBody) => {
            update({ getBody })
            fetching.clearError('body')
          }}
          bodyHint={bodyHint(getChoice, 'May stay blank.')}
          errors={{
            endpoint: fetching.errors['end_point'],
            token: fetching.errors['token'],
            body: fetching.errors['body'],
          }}
        >
          <FetchControls
            exchange={fetching.exchange}
            onGet={handleGet}
            onCancel={fetching.cancel}
          />
        </RequestCard>
        <RequestCard
          ref={sending.card}
          title="To endpoint"
          choices={choices}
          endpoint={form.sendEndpoint}
          onEndpoint={(sendEndpoint) => {
            update({ sendEndpoint })
            sending.clearError('end_point')
          }}
          token={sendToken}
          onToken={(token) => {
            setSendToken(token)
            sending.clearError('token')
          }}
          body={form.sendBody}
          onBody={(sendBody) => {
            update({ sendBody })
            sending.clearError('second_endpoint')
          }}
          bodyHint={bodyHint(sendChoice, 'Blank: the mapped JSON is sent.')}
          errors={{
            endpoint: sending.errors['end_point'],
            token: sending.errors['token'],
            body: sending.errors['second_endpoint'],
          }}
        >
          <SendControls
            exchange={sending.exchange}
            openSend={form.openSend}
            sent={sent}
            hindrance={isBodySent ? undefined : hindranceOf(preview)}
            onSend={handleSend}
            onChecked={sending.handleChecked}
          />
        </RequestCard>
      </div>
      <AnswerPane exchange={sending.exchange} />
      <div className={classes['panes']}>
        <FromPane
          fetched={fetching.fetched}
          error={sending.errors['first_endpoint']}
          onPick={mapping.handlePick}
        />
        <Paper
          component="section"
          className={classes['card'] ?? ''}
          aria-labelledby="mapping-title"
        >
          <Stack gap="md">
            <MappingEditor rows={form.rows} errors={preview.errors} mapping={mapping} />
            <MappedJsonPane
              preview={preview}
              rows={rows}
              hasFields={!mapping.isJsonShown}
              onCopyToBody={() => update({ sendBody: preview.text })}
            />
          </Stack>
        </Paper>
      </div>
      <RepeatDialog
        doubt={sending.doubt?.kind}
        onConfirm={sending.handleConfirm}
        onClose={sending.handleDismiss}
      />
    </Stack>
  )
}

function nameOf(choice: EndpointOption | undefined): string {
  return choice ? `${choice.summery} (${choice.method_type.toUpperCase()} ${detailOf(choice)})` : ''
}

function bodyHint(choice: EndpointOption | undefined, whenBlank: string): string {
  const parameters = choice?.path.match(/\{\w+\}/g)?.join(', ')
  const rest =
    choice?.method_type === 'get' ? 'the rest becomes the query string' : 'the rest is sent'
  if (parameters === undefined) return `JSON. ${whenBlank}`
  return `JSON. Its fields fill ${parameters} of the path; ${rest}.`
}

function hindranceOf({ errors, needsData }: MappedPreview): string | undefined {
  if (errors.length === 1) return 'Correct the problem in the mapping first.'
  if (errors.length > 1) return `Correct the ${errors.length} problems in the mapping first.`
  return needsData ? 'Press Get first: the mapping reads from the fetched JSON.' : undefined
}
