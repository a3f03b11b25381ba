/** The options of a `select`: each value, and its text. */
export const Options = ({ of }: { readonly of: readonly (readonly [value: string, text: string])[] }) => (
  <>
    {of.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </>
)
