import { Title } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { EndpointChoices } from '../../entities/endpoint/endpoint-choices.tsx'
import { Page } from '../../ui/page/page.tsx'
import { RepeatDialog } from '../../entities/run/repeat-dialog.tsx'
import { JsonPane } from '../../ui/json/json-pane.tsx'
import { buildRequestMessages } from './build-request-messages.ts'
import { buildRequestChoices } from './build-request-queries.ts'
import classes from './build-request.module.css'
import { Canvas } from './canvas/canvas.tsx'
import type { EngineLink } from './engine-link.ts'
import { FromPane } from './source/from-pane.tsx'
import { GetCard } from './get-card.tsx'
import type { KeptForm } from './kept-form.ts'
import { MappedJsonPane } from './mapped-json-pane.tsx'
import { noPreview } from '../../entities/mapping/mapped-preview.ts'
import { MappingEditor } from '../../entities/mapping/mapping-editor.tsx'
import { toWireRows, type FormRow } from '../../entities/mapping/mapping-form.ts'
import { SaveAsWorkflow } from '../../entities/workflow/save-as-workflow.tsx'
import { SendCard } from './send-card.tsx'
import { useEngine, useLatest } from './use-engine.ts'
import { useFetching, type Fetched } from './use-fetching.ts'
import { useKeptForm } from './use-kept-form.ts'
import { useMappingRows } from '../../entities/mapping/use-mapping-rows.ts'
import { useSending } from './use-sending.ts'
import { verdictOf } from './send-verdict.ts'
import type { Exchange } from './use-exchange.ts'

/** Fetch from one endpoint, map the data, send it to another (spec: build-request). */
export function BuildRequestPage() {
  const kept = useKeptForm()
  return (
    <Page
      title="Build Request"
      subtitle="Fetch from one endpoint, map the data, and send it to another."
      actions={<SaveAsWorkflow bundle={bundleOf(kept.form)} />}
    >
      <EndpointChoices
        source={buildRequestChoices}
        failureText={buildRequestMessages.choicesNotLoaded}
      >
        <BuildRequestForm kept={kept} />
      </EndpointChoices>
    </Page>
  )
}

/** What the form of a workflow begins with. */
const bundleOf = ({ getEndpoint, getBody, sendEndpoint, sendBody, rows }: KeptForm) => ({
  kind: 'general',
  steps: [
    { endpoint: getEndpoint, body: getBody },
    { endpoint: sendEndpoint, body: sendBody, rows: toWireRows(rows) },
  ],
})

/** The screen once the choices are there. */
function BuildRequestForm({ kept }: { kept: ReturnType<typeof useKeptForm> }) {
  const engine = useEngine()
  const { form, update } = kept
  const fetching = useFetching(engine)
  const sending = useSending(kept, engine)
  const mapping = useMappingRows(form.rows, kept.changeRows)
  const { fetched } = fetching
  const preview = usePreview(engine, form.rows, fetched)
  const ends = { form, update, engine }
  const [part, setPart] = useState(0)
  const rowCount = form.rows.length

  function handleProblem(...place: Parameters<typeof mapping.goTo>) {
    setPart(mappingPart)
    mapping.goTo(...place)
  }
  return (
    <>
      <Canvas
        current={part}
        onCurrent={setPart}
        parts={[
          {
            title: 'From',
            content: (
              <>
                <GetCard {...ends} fetching={fetching} />
                <FromPane
                  fetched={fetched}
                  error={sending.errors['first_endpoint']}
                  coverage={preview.coverage}
                  onPick={mapping.handlePick}
                  onPickAll={mapping.handleUnread}
                />
              </>
            ),
          },
          {
            title: 'Mapping',
            note: rowCount === 0 ? undefined : String(rowCount),
            labelledBy: `${mapping.editorId}-title`,
            content: (
              <MappingEditor
                rows={form.rows}
                errors={preview.errors}
                mapping={mapping}
                values={preview.values}
                coverage={preview.coverage}
              />
            ),
          },
          {
            title: 'Result',
            note: preview.errors.length === 0 ? undefined : '!',
            content: (
              <SendCard {...ends} sending={sending} preview={preview} fetched={fetched?.json ?? ''}>
                <MappedJsonPane
                  preview={preview}
                  rows={form.rows}
                  onProblem={handleProblem}
                  onCopyToBody={() => update({ sendBody: preview.text })}
                />
                <AnswerPane exchange={sending.exchange} />
              </SendCard>
            ),
          },
        ]}
      />
      <RepeatDialog
        doubt={sending.doubt?.kind}
        onConfirm={sending.handleConfirm}
        onClose={sending.handleDismiss}
      />
    </>
  )
}

const mappingPart = 1

function usePreview(engine: EngineLink, rows: FormRow[], fetched: Fetched | undefined) {
  // The engine has the data; new data is a reason to map again.
  const input = useMemo(() => ({ rows, fetched }), [rows, fetched])
  const map = useMemo(
    () =>
      ({ rows }: typeof input) =>
        engine.map(rows),
    [engine],
  )
  return useLatest(map, input) ?? noPreview
}

/** What the To endpoint answered to the last Send, whether it took it or not. */
function AnswerPane({ exchange }: { exchange: Exchange }) {
  const answer = useMemo(() => answerOf(exchange), [exchange])
  const pane = useRef<HTMLDivElement>(null)
  // What was sent is above it, and may be long.
  useEffect(() => {
    if (answer !== '') pane.current?.scrollIntoView({ block: 'nearest' })
  }, [answer])
  if (answer === '') return null
  return (
    <div ref={pane} className={classes['answer']}>
      <JsonPane
        label="Answer"
        title={
          <Title order={4} fz="sm">
            Answer
          </Title>
        }
        value={answer}
        minHeight={60}
        maxHeight="40vh"
      />
    </div>
  )
}

function answerOf(exchange: Exchange): string {
  if (exchange.status === 'failed') return verdictOf(exchange.error, 'send').answer
  if (exchange.status !== 'done') return ''
  // An answer that is not JSON arrives as text: it is shown as it came, not in quotes.
  return exchange.answer.plain ?? exchange.answer.text
}
