package jsonscan_test

import (
	"errors"
	"fmt"

	"jsonscan"
)

func ExampleExtractJSONObject() {
	fmt.Println(jsonscan.ExtractJSONObject(`Sure, {name}: {"a": 1}. Anything else?`))
	// Output: {"a": 1}
}

func ExampleExtractJSON() {
	value, err := jsonscan.ExtractJSON("```json\n{'a': 1,}\n```")
	if err != nil {
		panic(err)
	}
	for key, item := range value.(*jsonscan.Object).All() {
		fmt.Println(key, item.(jsonscan.Number).Float64())
	}
	// Output: a 1
}

func ExampleExtractError() {
	_, err := jsonscan.ExtractJSON(`The list is [1, 2`)
	var failure *jsonscan.ExtractError
	if errors.As(err, &failure) {
		fmt.Println(failure.Code, failure.Preview)
	}
	// Output: unbalanced [1, 2
}
