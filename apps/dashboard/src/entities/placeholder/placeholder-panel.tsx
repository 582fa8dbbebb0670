import {
  Button,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
  Textarea,
  VisuallyHidden,
} from '@mantine/core'
import { useDeferredValue, useMemo, useState, type KeyboardEvent } from 'react'
import { jsonProblemOf } from '../../lib/format/json-problem.ts'
import { valuesOf, type SampleValue } from './placeholder-assist.ts'
import type { Sample } from './sample-answers.ts'
import classes from './placeholder.module.css'

interface PlaceholderPanelProps {
  samples: readonly Sample[]
  onPick: (value: SampleValue) => void
  /** What a click does with the value, as a verb: it begins the name of each button. */
  verb?: string
}

/** Values that are drawn at once. */
const shownMax = 200

/** The values of a sample answer; a click puts one into the body. */
export function PlaceholderPanel({ samples, onPick, verb = 'Insert' }: PlaceholderPanelProps) {
  const [chosen, setChosen] = useState(() => String(samples.at(-1)?.step ?? 0))
  const sample = samples.find(({ step }) => String(step) === chosen) ?? samples.at(-1)
  if (!sample) return null
  return (
    <Stack gap="xs" className={classes['panel'] ?? ''}>
      {samples.length > 1 && (
        <Select
          size="xs"
          aria-label="Take values from"
          data={samples.map(({ step, label }) => ({ value: String(step), label }))}
          value={String(sample.step)}
          allowDeselect={false}
          onChange={(value) => setChosen(value ?? '0')}
        />
      )}
      <SampleValues key={sample.step} sample={sample} onPick={onPick} verb={verb} />
    </Stack>
  )
}

interface SampleValuesProps extends Required<Omit<PlaceholderPanelProps, 'samples'>> {
  sample: Sample
}

function SampleValues({ sample, onPick, verb }: SampleValuesProps) {
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search)
  const values = useMemo(() => valuesOf(sample), [sample])
  const found = useMemo(() => matching(values, wanted), [values, wanted])
  if (sample.data === undefined) return <PasteSample sample={sample} />
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {sample.label}. {sample.origin}
        </Text>
        {sample.isPasted && (
          <Button variant="subtle" size="compact-xs" onClick={() => sample.paste?.('')}>
            Forget it
          </Button>
        )}
      </Group>
      <TextInput
        size="xs"
        type="search"
        aria-label="Find a value"
        placeholder="Find a value"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul className={classes['values']} aria-label={`Values of ${sample.label}`}>
        {found.slice(0, shownMax).map((value) => (
          <li key={value.placeholder}>
            <button
              type="button"
              className={classes['value']}
              style={{ paddingInlineStart: 8 + (wanted === '' ? value.depth * 14 : 0) }}
              title={value.placeholder}
              onClick={() => onPick(value)}
              onKeyDown={moveFocus}
            >
              <VisuallyHidden>
                {verb} {value.placeholder}:
              </VisuallyHidden>
              <span>{wanted === '' ? value.name : value.placeholder.slice(2, -2)}</span>
              <span className={classes['preview']}>{value.preview}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <Text size="xs" c="dimmed">
          No value of that name.
        </Text>
      )}
      {found.length > shownMax && (
        <Text size="xs" c="dimmed">
          {found.length - shownMax} more: search for them.
        </Text>
      )}
    </>
  )
}

/** Where there is no answer yet. */
function PasteSample({ sample }: { sample: Sample }) {
  const [text, setText] = useState('')
  const isXml = text.trimStart().startsWith('<')
  const problem = text.trim() === '' || isXml ? undefined : jsonProblemOf(text)
  if (!sample.paste) {
    return (
      <Text size="xs" c="dimmed">
        {sample.step === 0
          ? 'There is no sample input yet. Type one above.'
          : `Choose the endpoint of step ${sample.step} first.`}
      </Text>
    )
  }
  return (
    <>
      <Text size="xs" c="dimmed">
        No answer of this endpoint is known yet. Paste one: it stays in this browser tab.
      </Text>
      <Textarea
        label={`Sample of the ${sample.label.toLowerCase()}`}
        size="xs"
        rows={5}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={problem?.message}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          disabled={text.trim() === '' || problem !== undefined}
          onClick={() => sample.paste?.(text)}
        >
          Use it
        </Button>
      </Group>
    </>
  )
}

function matching(values: readonly SampleValue[], search: string): readonly SampleValue[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return values
  return values.filter(({ placeholder, preview }) => {
    const text = `${placeholder} ${preview}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Arrows go through the list, as in every list of the dashboard. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>) {
  const row = event.currentTarget.parentElement
  const next =
    event.key === 'ArrowDown'
      ? row?.nextElementSibling
      : event.key === 'ArrowUp'
        ? row?.previousElementSibling
        : undefined
  const button = next?.querySelector('button')
  if (!button) return
  event.preventDefault()
  button.focus()
}
