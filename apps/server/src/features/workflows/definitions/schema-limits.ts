/** The largest input schema. The depth of bodies bounds its own. */
export const schemaMaxBytes = 65_536
