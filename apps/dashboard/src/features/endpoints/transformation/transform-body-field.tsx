import { SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { partOf } from '../../../lib/forms/form-part.ts'
import { MappingEditor } from '../../../entities/mapping/mapping-editor.tsx'
import { useMappingRows } from '../../../entities/mapping/use-mapping-rows.ts'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import { TransformPart } from './transform-part.tsx'
import { useTransformBody, type BodyKind, type TransformBodyDraft } from './use-transform-body.ts'

interface TransformBodyFieldProps {
  form: EndpointFormState
  field: 'request_body' | 'answer_body'
  label: string
  hint: string
}

const kinds: { value: BodyKind; label: string }[] = [
  { value: 'same', label: 'Stays as it is' },
  { value: 'rows', label: 'Mapping rows' },
  { value: 'template', label: 'Text with placeholders' },
]

/** What a body is made with. What was typed for one kind stays when another is tried. */
export function TransformBodyField({ form, field, label, hint }: TransformBodyFieldProps) {
  const part = partOf(form, 'transformation')
  const body = useTransformBody(part.values[field], (text) => part.set(field, text))
  const problem = part.errorOf(field)
  return (
    <TransformPart field={`transformation.${field}`} label={label} hint={hint}>
      <Stack gap="sm" align="stretch">
        <SegmentedControl
          aria-label={label}
          data={kinds}
          value={body.kind}
          onChange={(kind) => body.write({ kind })}
          size="xs"
          style={{ display: 'flex', width: 'fit-content', maxWidth: '100%', flexWrap: 'wrap' }}
        />
        {body.kind === 'rows' && <Rows body={body} problem={problem} />}
        {body.kind === 'template' && (
          <Textarea
            aria-label={`${label}: text with placeholders`}
            description="With {{body.total}}, {{params.id}}, {{query.page}} or {{headers.date}}; for answers {{status}} too."
            autosize
            minRows={3}
            maxRows={16}
            spellCheck={false}
            dir="ltr"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={body.template}
            onChange={(event) => body.write({ template: event.currentTarget.value })}
            error={problem}
          />
        )}
      </Stack>
    </TransformPart>
  )
}

function Rows({ body, problem }: { body: TransformBodyDraft; problem: string | undefined }) {
  const mapping = useMappingRows(body.rows, body.changeRows)
  const number = Number(/\d+/.exec(problem ?? '')?.[0])
  const isPlaced = number >= 1 && number <= body.rows.length
  return (
    <>
      <MappingEditor
        rows={body.rows}
        errors={
          isPlaced ? [{ row: number - 1, field: 'rows' as const, message: problem ?? '' }] : []
        }
        mapping={mapping}
        hint={
          <>
            The body stays as it is. From is a path into the body, like <code>lines[*].sku</code>;
            To is where it goes. Custom Input is used where From is blank or finds nothing.
          </>
        }
      />
      {problem !== undefined && !isPlaced && (
        <Text size="xs" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
    </>
  )
}
