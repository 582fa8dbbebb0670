import { z } from 'zod'
import { choice, flag, requiredText, strictFields, text } from '../kernel/fields.ts'

/** Where a call carries a parameter. `body` is the whole body, `form` a field of it. */
const parameterPlaces = ['path', 'query', 'header', 'cookie', 'body', 'form'] as const
export type ParameterPlace = (typeof parameterPlaces)[number]

export const parametersMax = 200

const parameter = strictFields({
  name: requiredText(200, 'name'),
  in: choice(parameterPlaces, 'place'),
  is_required: flag,
  /** In words: `string`, `array of integer`; of a body its media types. */
  type: text(200, 'type'),
  description: text(1000, 'description', { isMultiline: true }),
})
export type EndpointParameter = z.output<typeof parameter>

/**
 * What a call of an endpoint may carry, as its document declares it. It is shown to those who call;
 * the gateway holds calls against the endpoint's validation instead.
 */
export const endpointParameters = z
  .array(parameter, { error: 'The parameters must be a list.' })
  .max(parametersMax, { error: `At most ${parametersMax} parameters are possible.` })

/** The parameters in answers. */
export const shownParameters: z.ZodType<EndpointParameter[]> = z.array(
  z.object({
    name: z.string(),
    in: z.enum(parameterPlaces),
    is_required: z.boolean(),
    type: z.string(),
    description: z.string(),
  }),
)
