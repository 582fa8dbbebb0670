/** A name that becomes a picture or a script wherever it is not just shown. */
export const hostileName = (place: string) =>
  `${place} "><img src=x onerror=__ran=1><script>__ran=2</script>`

/** The same with an override that makes a line read backwards; names may not hold one. */
export const hostile = (place: string) => `${hostileName(place)}\u202egnp.exe`
