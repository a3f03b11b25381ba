/** Unlike workerd, Node 20 has no `JSON.rawJSON`. With this import, decimals become doubles in this process. */
Object.assign(JSON, { rawJSON: Number })
