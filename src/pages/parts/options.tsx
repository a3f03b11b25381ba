/** The options of a `select`: each has a value and a text. */
export const Options = ({ of }: { readonly of: readonly (readonly [value: string, text: string])[] }) => (
  <>
    {of.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </>
)
