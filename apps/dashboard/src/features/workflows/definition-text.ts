import type { Workflow, WorkflowVersion } from './read-workflow.ts'

type Definition = WorkflowVersion['definition'] | Workflow

/** A definition as lines to compare: fields in one order, texts and JSON line by line. */
export function definitionText(definition: Definition): string {
  const { name, slug, kind, status, description, reference_path, order_key_path } = definition
  const { lane, steps, schemaText, sampleText } = definition
  return [
    ...Object.entries({ name, slug, kind, status }).map(([field, value]) => `${field}: ${value}`),
    ...block('description', description),
    `reference_path: ${reference_path}`,
    `order_key_path: ${order_key_path}`,
    ...Object.entries(lane).map(([field, value]) => `lane.${field}: ${value ?? 'none'}`),
    ...steps.flatMap(({ endpoint_id, body, condition }, at) => {
      const step = `step ${at + 1}`
      return [
        `${step}: endpoint ${endpoint_id}`,
        ...(body.kind === 'template'
          ? block(`${step} body`, body.text)
          : body.kind === 'mapping'
            ? [
                `${step} body: rows`,
                ...body.rows.map(
                  ({ source, from, to, type, custom_input }) =>
                    `  ${source} ${from} → ${to} (${type})${custom_input === '' ? '' : ` or ${JSON.stringify(custom_input)}`}`,
                ),
              ]
            : [`${step} body: none`]),
        ...(condition ? block(`${step} condition`, JSON.stringify(condition, null, 2)) : []),
      ]
    }),
    ...block('input_schema', schemaText),
    ...block('sample_input', sampleText),
  ].join('\n')
}

/** A definition by its fields, each step as a field. */
export function definitionFields(definition: Definition): Record<string, unknown> {
  const { name, slug, kind, status, description, reference_path, order_key_path } = definition
  const { lane, steps, schemaText, sampleText } = definition
  return {
    name,
    slug,
    kind,
    status,
    description,
    ...Object.fromEntries(steps.map((step, at) => [`step ${at + 1}`, step])),
    reference_path,
    order_key_path,
    lane,
    input_schema: schemaText,
    sample_input: sampleText,
  }
}

const block = (title: string, text: string) =>
  text === '' ? [`${title}: none`] : [`${title}:`, ...text.split('\n').map((line) => `  ${line}`)]
