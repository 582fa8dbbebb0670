import { Button, Group, Input, SegmentedControl, Text } from '@mantine/core'
import type { EndpointOption } from '@gatehouse/contract'
import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { takesText } from '../../../entities/endpoint/endpoint-words.ts'
import { MappingEditor, type RowProblem } from '../../../entities/mapping/mapping-editor.tsx'
import { PlaceholderBodyField } from '../../../entities/placeholder/placeholder-body-field.tsx'
import { maxRows, rowForValue, type FormRow } from '../../../entities/mapping/mapping-form.ts'
import { PlaceholderPanel } from '../../../entities/placeholder/placeholder-panel.tsx'
import { sampleValues } from './sample-values.ts'
import { useMappingRows } from '../../../entities/mapping/use-mapping-rows.ts'
import type { FormPart } from '../../../lib/forms/form-part.ts'
import { jsonProblemOf } from '../../../lib/format/json-problem.ts'
import type { WorkflowSamples } from './use-workflow-samples.ts'
import { sourcesOf, type StepBodyKind, type StepDraft } from '../workflow-step-draft.ts'

interface StepBodyFieldsProps {
  part: FormPart<StepDraft['body']>
  position: number
  choice: EndpointOption | undefined
  taking: WorkflowSamples
  /** Messages of the last save and of the preview. */
  rowProblems: readonly RowProblem[]
}

const kinds: { value: StepBodyKind; label: string }[] = [
  { value: 'template', label: 'Text with placeholders' },
  { value: 'mapping', label: 'Mapping rows' },
  { value: 'none', label: 'No body' },
]

/** What the step sends. What was typed for one kind stays when another is tried. */
export function StepBodyFields({
  part,
  position,
  choice,
  taking,
  rowProblems,
}: StepBodyFieldsProps) {
  const { kind } = part.values
  const error = part.errorOf('') ?? part.errorOf('kind') ?? part.errorOf('rows')
  return (
    <div>
      <Input.Wrapper label="What it sends" labelElement="div" error={error}>
        <SegmentedControl
          aria-label={`What step ${position} sends`}
          data={kinds}
          value={kind}
          onChange={(chosen) => part.set('kind', chosen)}
          size="xs"
          mb={error === undefined ? 'sm' : 4}
          style={{ display: 'flex', width: 'fit-content', maxWidth: '100%', flexWrap: 'wrap' }}
        />
      </Input.Wrapper>
      {kind === 'template' && (
        <Template part={part} position={position} choice={choice} taking={taking} />
      )}
      {kind === 'mapping' && (
        <Rows part={part} position={position} problems={rowProblems} taking={taking} />
      )}
      {kind === 'none' && (
        <Text size="sm" c="dimmed">
          The request has no body, and parameters of its path stay unfilled.
        </Text>
      )}
    </div>
  )
}

type TemplateProps = Omit<StepBodyFieldsProps, 'rowProblems'>

function Template({ part, position, choice, taking }: TemplateProps) {
  const { text } = part.values
  const isText = takesText(choice)
  // A large body takes a moment to check: typing does not wait for it.
  const checked = useDeferredValue(text)
  const problem = useMemo(() => (isText ? undefined : jsonProblemOf(checked)), [isText, checked])
  const error = part.errorOf('text')
  const quote = isText ? '' : '"'
  const earlier =
    position === 1 ? '' : `, and ${quote}{{steps.1.body.id}}${quote} one from the answer of step 1`
  return (
    <PlaceholderBodyField
      position={position}
      samples={taking.samples}
      onWant={taking.onWant}
      isText={isText}
      label={`Body of step ${position} as typed`}
      value={text}
      onChange={(body) => part.set('text', body)}
      problem={error === undefined ? problem : { message: error }}
      hint={`${isText ? `Text (${choice?.text_content_type}).` : 'JSON.'} ${quote}{{input.number}}${quote} takes a value from the input${earlier}.`}
    />
  )
}

interface RowsProps {
  part: FormPart<StepDraft['body']>
  position: number
  problems: readonly RowProblem[]
  taking: WorkflowSamples
}

const newRowFields = { source: 'input' }

function Rows({ part, position, problems, taking: { samples, onWant } }: RowsProps) {
  const { rows } = part.values
  const [isOpen, setIsOpen] = useState(false)
  const panelId = useId()
  // The editor keeps its callbacks; they work on the rows as they are by then.
  const latest = useRef(part)
  useEffect(() => {
    latest.current = part
  })
  const changeRows = useCallback((change: (rows: FormRow[]) => FormRow[]) => {
    latest.current.set('rows', change(latest.current.values.rows))
  }, [])
  const mapping = useMappingRows(rows, changeRows, newRowFields)
  const shown = useDeferredValue(rows)
  const { values, coverage } = useMemo(() => sampleValues(shown, samples), [shown, samples])
  return (
    <>
      <MappingEditor
        rows={rows}
        errors={problems}
        mapping={mapping}
        sources={sourcesOf(position)}
        values={values}
        coverage={coverage}
        hint={
          <>
            From is a path into the source, like <code>lines[*].sku</code>; To is where it goes in
            the body. Custom Input is used where From is blank or finds nothing.
          </>
        }
      />
      <Group gap="sm" mt="sm">
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => {
            onWant()
            setIsOpen(!isOpen)
          }}
        >
          Choose from the sample
        </Button>
      </Group>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <PlaceholderPanel
            samples={samples}
            verb="Map"
            onPick={({ step, path }) => {
              const source = step === 0 ? 'input' : `steps.${step}.body`
              changeRows((current) =>
                current.length >= maxRows
                  ? current
                  : [...current, { ...rowForValue(path, current), source }],
              )
            }}
          />
        )}
      </div>
    </>
  )
}
