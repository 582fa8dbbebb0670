import { Radio, Text } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { plainText, type Clash } from '../../lib/format/compare-values.ts'
import { diffLines } from '../../lib/format/line-diff.ts'
import { isSecretField } from '../../lib/forms/secret-fields.ts'
import classes from './clash-field.module.css'
import { LineDiff } from '../json/line-diff-view.tsx'

export type Side = 'mine' | 'theirs'

/** What values of a field are called where they are choices; by the path of the field. */
export type ValueWords = Readonly<Record<string, (value: unknown) => ReactNode>>

interface ClashFieldProps {
  clash: Clash
  /** Absent: values are shown as they are. */
  words?: ValueWords[string] | undefined
  label: string
  side: Side | undefined
  onChoose: (side: Side) => void
}

/** A field that two people have changed: as it was, theirs and mine, and whose is kept. */
export function ClashField({ clash, words, label, side, onChoose }: ClashFieldProps) {
  const name = useId()
  const before = textOf(clash.base)
  const isLong = [clash.base, clash.theirs, clash.mine].some((value) =>
    textOf(value).includes('\n'),
  )
  const isSecret = isSecretField(clash.path)
  const show = (value: unknown, title: string) => {
    if (isSecret) return <Text size="sm">A new secret</Text>
    if (words) return <Shown text={textOf(value)} words={words(value)} />
    if (isLong)
      return <LineDiff label={`${label}: ${title}`} lines={diffLines(before, textOf(value))} />
    return <Shown text={textOf(value)} />
  }
  const option = (value: Side, choice: string) => (
    <div className={classes['side']} data-chosen={side === value || undefined}>
      <Radio
        name={name}
        label={choice}
        aria-label={`${choice}: ${label}`}
        checked={side === value}
        onChange={() => onChoose(value)}
      />
      {show(clash[value], choice)}
    </div>
  )
  return (
    <fieldset className={classes['field']}>
      <legend className={classes['label']}>{label}</legend>
      <div className={classes['before']}>
        <Text size="xs" c="dimmed">
          Before
        </Text>
        {words && !isSecret ? (
          <Shown text={before} words={words(clash.base)} />
        ) : isSecret || isLong ? (
          <Text size="sm">{isSecret ? 'The stored one' : linesOf(before)}</Text>
        ) : (
          <Shown text={before} />
        )}
      </div>
      <div className={classes['sides']}>
        {option('theirs', 'Take theirs')}
        {option('mine', 'Keep mine')}
      </div>
    </fieldset>
  )
}

function Shown({ text, words = text }: { text: string; words?: ReactNode }) {
  // A choice may be blank and have a name.
  const isBlank = text === '' && (words === '' || typeof words !== 'string')
  return (
    <Text size="sm" className={classes['value'] ?? ''} {...(isBlank ? { c: 'dimmed' } : {})}>
      {isBlank ? 'blank' : words}
    </Text>
  )
}

function linesOf(text: string): string {
  if (text === '') return 'blank'
  const count = text.split('\n').length
  return count === 1 ? '1 line' : `${count} lines`
}

/** A list of texts has a line for each, any other list or object a line for each part. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (typeof value === 'string') return value
  const isTexts = Array.isArray(value) && value.every((each) => typeof each !== 'object')
  return isTexts ? value.join('\n') : plainText(value)
}
